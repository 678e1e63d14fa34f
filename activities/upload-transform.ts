import { cancellationSignal } from '@temporalio/activity';
import { recordTransform } from '../src/db/uploads';
import type { ImageVerdict, TransformInput } from '../src/delivery-apps/types';
import { findCountry } from '../src/domain/countries';
import { SHOWN_PROBLEMS } from '../src/domain/menu-rules/menu-problems';
import { quoteValue } from '../src/domain/quote-value';
import type { UploadVerdict } from '../src/domain/upload-verdict';
import type { KeptMenu, PreparedDocument } from '../src/menus/menu-preparer';
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
  const { sql, menus, settings } = deps;

  /**
   * Turns the menu into the app's payload and keeps it with its losses. `too_late`: that takes longer than it may;
   * `stale`: another attempt has taken over.
   */
  async function transform(
    upload: UploadContext,
    badImages?: TransformInput['badImages'],
  ): Promise<PreparedDocument | 'too_late' | 'stale'> {
    const { target, app } = upload;
    const country = findCountry(target.countryCode);
    if (!country) throw new Error(`store ${target.storeId} has no country that we know`);
    const prepared = await menus.prepare(menuOf(upload), {
      app: app.name,
      store: {
        deliveryId: target.deliveryId,
        currencyExponent: country.currencyExponent,
        locale: country.locale,
      },
      ...(badImages ? { badImages } : {}),
      priceUnit: settings.APP_A_PRICE_UNIT,
      levels: settings.APP_C_LEVELS,
      appDPriceUnit: settings.APP_D_PRICE_UNIT,
      ...(settings.APP_A_MAXIMUM_PRICE === null
        ? {}
        : { maximumPrice: settings.APP_A_MAXIMUM_PRICE }),
    });
    if (!prepared) return 'too_late';
    const { uploadId, attemptNo } = upload;
    const kept = await recordTransform(sql, uploadId, attemptNo, prepared.document, prepared);
    return kept ? prepared : 'stale';
  }

  async function judgeImages(upload: UploadContext): Promise<StepEnd<ImagesStepResult>> {
    const images = await menus.images(menuOf(upload));
    if (!images) return tooLate(upload);
    const bad = await deps.images.inspect(
      images.map(({ url }) => url),
      cancellationSignal(),
    );
    if (bad.size === 0) return { result: 'ready', state: 'done' };
    if (settings.IMAGE_POLICY === 'refuse') {
      const reasons = images.flatMap(({ url, externalId }) => {
        const verdict = bad.get(url);
        return verdict ? [`The item image ${REFUSALS[verdict]}: ${quoteValue(externalId)}`] : [];
      });
      return conclude(deps, upload, { kind: 'images_refused', reasons });
    }
    const prepared = await transform(upload, bad);
    if (prepared === 'too_late') return tooLate(upload);
    if (prepared === 'stale') return { result: 'stale', state: 'failed' };
    return { result: 'ready', state: 'done' };
  }

  function tooLate(upload: UploadContext): Promise<StepEnd<'decided'>> {
    return conclude(deps, upload, { kind: 'not_prepared' });
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
            const prepared = await transform(upload);
            if (prepared === 'too_late') return tooLate(upload);
            if (prepared === 'stale') return { result: 'stale', state: 'failed' };
            if (prepared.lossCounts.block > 0) return conclude(deps, upload, blockedBy(prepared));
            const images = upload.app.checksImages && prepared.hasImages;
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

function menuOf({ target }: UploadContext): KeptMenu {
  return { sha256: target.documentSha256, size: target.documentSize };
}

/** The sentences that an answer can show, and how many there are. */
function blockedBy({ losses, lossCounts }: PreparedDocument): UploadVerdict {
  const blocking = losses.filter(({ severity }) => severity === 'block');
  const reasons = blocking.slice(0, SHOWN_PROBLEMS).map(({ message }) => message);
  return { kind: 'blocked', reasons, count: lossCounts.block };
}
