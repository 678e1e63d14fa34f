import type { Shown } from '../../delivery-apps/shown';
import { Page, type PageFrame } from '../page';
import { Integration } from '../names';
import { Fields } from '../parts';
import type { PictureLink } from '../picture-links';
import { ShownMenu } from '../shown-menu';
import type { Names } from '../sql/names';
import type { WholeUpload } from './upload';

const MOST_ITEMS = 500;

/** An upload as guests of the app see it, with each loss where it is lost. */
export function UploadShownPage({
  frame,
  upload,
  names,
  shown,
  pictureLink,
}: {
  readonly frame: PageFrame;
  readonly upload: WholeUpload;
  readonly names: Names;
  readonly shown: Shown;
  readonly pictureLink: PictureLink;
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
      <ShownMenu {...{ shown, pictureLink }} losses={upload.losses} mostItems={MOST_ITEMS} />
    </Page>
  );
}
