import { Page, type PageFrame } from '../page';

/** What could not be done, in the API's own sentences. */
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
      <ul role="alert">
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <p>
        <a href={back}>Back</a>
      </p>
    </Page>
  );
}
