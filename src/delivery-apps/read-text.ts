import type { ClientOptions } from './app-client';
import type { TextReader } from './types';

/** What one of an app's readers finds in a text that may have 16 MB. Undefined: unreadable, or not read in time. */
export async function readText<Name extends string>(
  options: Pick<ClientOptions, 'readText'>,
  readers: Readonly<Record<Name, TextReader>>,
  name: Name,
  text: Buffer,
  about = '',
): Promise<readonly string[] | undefined> {
  return options.readText ? options.readText(name, text, about) : readers[name](text, about);
}
