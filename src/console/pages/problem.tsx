import { Page, type PageFrame } from '../page';
import { Problems } from '../parts';

/** A refusal of the API, in its own sentences. */
export function ProblemPage({
  frame,
  sentences,
  back,
}: {
  readonly frame: PageFrame;
  readonly sentences: readonly string[];
  readonly back: string;
}) {
  return (
    <Page frame={frame}>
      <Problems sentences={sentences} />
      <p>
        <a href={back}>Back</a>
      </p>
    </Page>
  );
}
