import { AppError } from '../../platform/errors';

/** The fields of a form with files. */
export interface MultipartForm {
  /** Bytes of the whole body. */
  readonly size: number;
  /** The first one of this name, as text; null when there is none. */
  get(name: string): string | null;
  getAll(name: string): readonly string[];
  /** What the first one of this name holds: a view of the bytes of the body. Null when there is none. */
  bytes(name: string): Buffer | null;
}

/** As browsers write it (RFC 2046 §5.1.1), the boundary quoted or not. */
const MULTIPART_TYPE =
  /^multipart\/form-data[ \t]*;[ \t]*boundary=("?)([\w'()+,./:=?-]{1,70})\1[ \t]*$/i;
/** A form of the console has a field for each integration, and some more. */
const MOST_PARTS = 64;
/** Most bytes in front of what a part holds: a name, the name of a file and a type. */
const LONGEST_HEAD = 2_048;
const DASHES = '--';
const NEW_LINE = '\r\n';

/** The boundary that a content type names; undefined when it is no form with files. */
export function boundaryOf(contentType: string): string | undefined {
  return MULTIPART_TYPE.exec(contentType)?.[2];
}

/**
 * The fields of a form (RFC 7578). Throws the 400 of what no browser sends: another beginning, a part without a name,
 * more than 64 parts, no end.
 */
export function readMultipart(bytes: Buffer, boundary: string): MultipartForm {
  const delimiter = Buffer.from(`${NEW_LINE}${DASHES}${boundary}`, 'latin1');
  const opening = delimiter.subarray(NEW_LINE.length);
  if (!bytes.subarray(0, opening.length).equals(opening)) throw notAForm();
  const found = new Map<string, Buffer[]>();
  let at = opening.length;
  for (let parts = 0; textAt(bytes, at) !== DASHES; parts += 1) {
    if (parts === MOST_PARTS || textAt(bytes, at) !== NEW_LINE) throw notAForm();
    const head = bytes.subarray(at, at + LONGEST_HEAD);
    const headLength = head.indexOf(NEW_LINE + NEW_LINE);
    const from = at + headLength + 2 * NEW_LINE.length;
    const to = bytes.indexOf(delimiter, from);
    const name = nameIn(head.subarray(0, Math.max(0, headLength)).toString('utf8'));
    if (headLength === -1 || to === -1 || name === undefined) throw notAForm();
    found.set(name, [...(found.get(name) ?? []), bytes.subarray(from, to)]);
    at = to + delimiter.length;
  }
  const getAll = (name: string) => (found.get(name) ?? []).map((each) => each.toString('utf8'));
  return {
    size: bytes.length,
    get: (name) => found.get(name)?.[0]?.toString('utf8') ?? null,
    getAll,
    bytes: (name) => found.get(name)?.[0] ?? null,
  };
}

/** The two characters that follow a boundary. */
function textAt(bytes: Buffer, at: number): string {
  return bytes.toString('latin1', at, at + 2);
}

function nameIn(head: string): string | undefined {
  return /^content-disposition:[ \t]*form-data[ \t]*;[ \t]*name="([^"\r\n]*)"/im.exec(head)?.[1];
}

function notAForm(): AppError {
  return new AppError('malformed_body', 'The form is not valid.');
}
