import type { UploadVersion } from './sql/upload-versions';
import type { DocumentStore } from './documents';

/** The body of an upload as it was sent, as JSON: the ids, the four lists and all other members. */
export async function readSentMenu(
  documents: Pick<DocumentStore, 'read'>,
  version: UploadVersion,
): Promise<Buffer> {
  const lists = await documents.read(version.documentSha256);
  return Buffer.concat([Buffer.from(`${besideOf(version).slice(0, -1)},`), lists.subarray(1)]);
}

/** The members of the body beside its lists, those of its rollout too: JSON text of an object. */
export function besideOf(version: Pick<UploadVersion, 'sentBeside' | 'rolloutBeside'>): string {
  const beside = [version.sentBeside, version.rolloutBeside ?? '{}']
    .map(membersOf)
    .filter((members) => members !== '');
  return `{${beside.join(',')}}`;
}

/** The text between the braces of a JSON object. */
function membersOf(json: string): string {
  return json.trim().slice(1, -1).trim();
}
