import type { Shown } from '../../delivery-apps/shown';
import { Page, type PageFrame } from '../page';
import { Fields } from '../parts';
import { ShownMenu } from '../shown-menu';
import type { WholeUpload } from './upload';

const MOST_ITEMS = 500;

/** What the app shows of an upload, with each loss beside its entity. */
export function UploadShownPage({
  frame,
  upload,
  shown,
}: {
  readonly frame: PageFrame;
  readonly upload: WholeUpload;
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
          ['Integration', upload.integration_id],
          ['Menus', shown.menus.length],
          ['Items', shown.items.length],
          ['Losses', upload.losses.length],
        ]}
      />
      <ShownMenu shown={shown} losses={upload.losses} mostItems={MOST_ITEMS} />
    </Page>
  );
}
