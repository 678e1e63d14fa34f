export type ImageFormat = 'jpeg' | 'png' | 'gif' | 'webp';

/** App A's requirements for an item's image. Versioned data, because the app has changed them once. */
export interface ImageRules {
  readonly version: ImageRulesVersion;
  readonly https: boolean;
  /** The file must be smaller than this. */
  readonly maxBytes: number;
  readonly formats: readonly ImageFormat[];
  /** Width and height, each, in pixels, inclusive. */
  readonly minSide: number;
  readonly maxSide: number;
}

export type ImageRulesVersion = 1 | 2;

const MEGABYTE = 1024 * 1024;

/** 1 is what our API promises; 2 is what the app publishes now: larger images, WEBP, but no GIF. */
export const IMAGE_RULES: Readonly<Record<ImageRulesVersion, ImageRules>> = {
  1: {
    version: 1,
    https: true,
    maxBytes: 10 * MEGABYTE,
    formats: ['jpeg', 'png', 'gif'],
    minSide: 320,
    maxSide: 1144,
  },
  2: {
    version: 2,
    https: true,
    maxBytes: 25 * MEGABYTE,
    formats: ['jpeg', 'png', 'webp'],
    minSide: 320,
    maxSide: 6000,
  },
};

export const DEFAULT_IMAGE_RULES: ImageRules = IMAGE_RULES[1];
