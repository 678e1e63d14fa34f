/**
 * A reader that is gone is no failure: `| head -1` has read enough, and Ctrl-C ends a `| tee` before us. What is
 * written from then on is dropped; any other error of the stream is thrown as if nobody listened.
 */
export function dropWhenReaderIsGone(...streams: readonly NodeJS.WriteStream[]): void {
  for (const stream of streams) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
}
