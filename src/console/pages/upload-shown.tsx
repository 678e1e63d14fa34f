import type { Shown } from '../../delivery-apps/shown';
import { Page, type PageFrame } from '../page';
import { Integration } from '../names';
import { Fields } from '../parts';
import { ShownMenu } from '../shown-menu';
import type { Names } from '../sql/names';
import type { WholeUpload } from './upload';

const MOST_ITEMS = 500;

/** An upload as the app shows it, with each loss beside its menu entity. */
export function UploadShownPage({
  frame,
  upload,
  names,
  shown,
}: {
  readonly frame: PageFrame;
  readonly upload: WholeUpload;
  readonly names: Names;
  readonly shown: Shown;
}) {
  return (
    <Page frame={frame}>
      <Fields
        fields={[
          [
            'Upload',
            <a key="upload" href={`/console/uploads/${upload.upload_id}`}>
              {upload.upload_id}
            </a>,
          ],
          ['Integration', <Integration key="at" id={upload.integration_id} names={names} />],
          ['Menus', shown.menus.length],
          ['Items', shown.items.length],
          ['Losses', upload.losses.length],
        ]}
      />
      <ShownMenu shown={shown} losses={upload.losses} mostItems={MOST_ITEMS} />
    </Page>
  );
}
