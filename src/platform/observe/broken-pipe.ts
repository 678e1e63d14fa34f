/**
 * A reader that is gone is no failure: `| head -1` has read enough, and Ctrl-C ends a `| tee` before us. Later output
 * is dropped; any other error of the stream is thrown, as without a listener.
 */
export function dropWhenReaderIsGone(...streams: readonly NodeJS.WriteStream[]): void {
  for (const stream of streams) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
}
