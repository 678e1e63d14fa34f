import probe from 'probe-image-size';
import type { ImageFormat } from '../app-a/image-rules';

interface ImageSize {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/** The format by a file's first bytes; its name and content type prove nothing. */
export function imageFormat(head: Buffer): ImageFormat | null {
  const signature = head.toString('latin1', 0, 12);
  if (signature.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (signature.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (signature.startsWith('GIF87a') || signature.startsWith('GIF89a')) return 'gif';
  return /^RIFF.{4}WEBP$/s.test(signature) ? 'webp' : null;
}

/** The size stated in a file's head; null if the head is too short or broken. */
export function imageSize(head: Buffer): ImageSize | null {
  // Checks the format first, because some of the library's parsers, such as SVG's, should not run on untrusted bytes.
  const format = imageFormat(head);
  if (format === null) return null;
  // For WEBP the library needs the whole file, because it searches for the orientation.
  if (format === 'webp') return webpSize(head);
  return probe.sync(head);
}

function webpSize(head: Buffer): ImageSize | null {
  if (head.length < 30) return null;
  switch (head.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { width: head.readUInt16LE(26) % 0x4000, height: head.readUInt16LE(28) % 0x4000 };
    case 'VP8L': {
      const bits = head.readUInt32LE(21);
      return { width: (bits % 0x4000) + 1, height: (Math.floor(bits / 0x4000) % 0x4000) + 1 };
    }
    case 'VP8X':
      return { width: head.readUIntLE(24, 3) + 1, height: head.readUIntLE(27, 3) + 1 };
    default:
      return null;
  }
}
