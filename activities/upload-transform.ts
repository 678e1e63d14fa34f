import { cancellationSignal } from '@temporalio/activity';
import { recordTransform } from '../src/db/uploads';
import { prepareMenu, type PreparedMenu } from '../src/delivery-apps/prepare-menu';
import type { ImageVerdict } from '../src/delivery-apps/types';
import { findCountry } from '../src/domain/countries';
import type { MenuDocument } from '../src/domain/menu';
import { SHOWN_PROBLEMS } from '../src/domain/menu-rules/menu-problems';
import { quoteValue } from '../src/domain/quote-value';
import type { UploadVerdict } from '../src/domain/upload-verdict';
import { conclude } from './upload-conclusion';
import {
  type MenuActivityDeps,
  type StepEnd,
  type UploadContext,
  type UploadRef,
  withStep,
  withUpload,
} from './upload-context';
import { withHeartbeat } from './with-heartbeat';

export type TransformStepResult = 'ready' | 'images' | 'decided' | 'stale';
export type ImagesStepResult = 'ready' | 'decided' | 'stale';

/** The sentences of IMAGE_POLICY=refuse; the image is named by its item. */
const REFUSALS: Readonly<Record<ImageVerdict, string>> = {
  not_https: 'must be served over SSL',
  wrong_format: 'must be a JPEG, PNG or GIF',
  too_large: 'must be under 10 MB',
  wrong_size: 'must be between 320 and 1144 pixels wide and high',
  unreadable: 'could not be read',
  not_checked: 'could not be read',
};

export function createUploadTransformActivities(deps: MenuActivityDeps) {
  const { sql, documents, settings } = deps;

  /** Turns the menu into the app's payload and keeps it with its losses; false = another attempt has taken over. */
  async function transform(
    upload: UploadContext,
    menu: MenuDocument,
    badImages?: ReadonlyMap<string, ImageVerdict>,
  ): Promise<{ kept: boolean } & Pick<PreparedMenu, 'losses' | 'lossCounts'>> {
    const { target, app } = upload;
    const country = findCountry(target.countryCode);
    if (!country) throw new Error(`store ${target.storeId} has no country that we know`);
    const prepared = prepareMenu(app, {
      menu,
      store: {
        deliveryId: target.deliveryId,
        currencyExponent: country.currencyExponent,
        locale: country.locale,
      },
      ...(badImages ? { badImages } : {}),
      priceUnit: settings.APP_A_PRICE_UNIT,
      levels: settings.APP_C_LEVELS,
      ...(settings.APP_A_MAXIMUM_PRICE === null
        ? {}
        : { maximumPrice: settings.APP_A_MAXIMUM_PRICE }),
    });
    const packed = await documents.pack(prepared.payload);
    const kept = await recordTransform(sql, upload.uploadId, upload.attemptNo, packed, prepared);
    return { ...prepared, kept };
  }

  async function readMenu(upload: UploadContext): Promise<MenuDocument> {
    const text = await documents.read(upload.target.documentSha256);
    // Checked against every rule before the row was written; the hash says that it is still that text.
    return JSON.parse(text.toString('utf8')) as MenuDocument;
  }

  async function judgeImages(upload: UploadContext): Promise<StepEnd<ImagesStepResult>> {
    const menu = await readMenu(upload);
    const bad = await deps.images.inspect(
      menu.items.flatMap((item) => item.image_url ?? []),
      cancellationSignal(),
    );
    if (bad.size === 0) return { result: 'ready', state: 'done' };
    if (settings.IMAGE_POLICY === 'refuse') {
      const reasons = menu.items.flatMap((item) => {
        const verdict = item.image_url ? bad.get(item.image_url) : undefined;
        return verdict
          ? [`The item image ${REFUSALS[verdict]}: ${quoteValue(item.external_id)}`]
          : [];
      });
      return conclude(deps, upload, { kind: 'images_refused', reasons });
    }
    const { kept } = await transform(upload, menu, bad);
    return kept ? { result: 'ready', state: 'done' } : { result: 'stale', state: 'failed' };
  }

  return {
    /** The app's payload and what the menu loses on the way; `images` when there are images to look at first. */
    async transformMenu(ref: UploadRef): Promise<TransformStepResult> {
      await deps.reach('worker:before-transform');
      return withUpload<TransformStepResult>(deps, ref, (upload) =>
        withStep(
          deps,
          ref,
          'transform',
          async () => {
            const menu = await readMenu(upload);
            const { kept, losses, lossCounts } = await transform(upload, menu);
            if (!kept) return { result: 'stale', state: 'failed' };
            if (lossCounts.block > 0) return conclude(deps, upload, blockedBy(losses, lossCounts));
            const images = upload.app.checksImages && menu.items.some((item) => item.image_url);
            return { result: images ? 'images' : 'ready', state: 'done' };
          },
          { announce: false },
        ),
      );
    },

    /** Looks at the head of every image; what breaks the app's rules is left out, or refuses the menu by policy. */
    async checkImages(ref: UploadRef): Promise<ImagesStepResult> {
      return withUpload<ImagesStepResult>(deps, ref, (upload) =>
        withStep(deps, ref, 'images', () => withHeartbeat(() => judgeImages(upload))),
      );
    },
  };
}

/** The sentences that an answer can show, and how many there are. */
function blockedBy(
  losses: PreparedMenu['losses'],
  { block }: PreparedMenu['lossCounts'],
): UploadVerdict {
  const blocking = losses.filter(({ severity }) => severity === 'block');
  const reasons = blocking.slice(0, SHOWN_PROBLEMS).map(({ message }) => message);
  return { kind: 'blocked', reasons, count: block };
}
