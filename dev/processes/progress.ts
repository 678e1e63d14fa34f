/** Reports progress to a waiting person; a later text replaces the line. */
export type OnProgress = (text: string) => void;

/** Without a terminal every line stays, so a text that only counts seconds is repeated this often. */
const PLAIN_REPEAT_MS = 30_000;

export interface ProgressLine {
  readonly report: OnProgress;
  /** Takes the line off the terminal; call it before anything else is printed. */
  readonly clear: () => void;
}

/** One line that changes in place on a terminal, and a few lines in a log file. */
export function createProgressLine(stream: NodeJS.WriteStream): ProgressLine {
  let shown = '';
  let printedAt = 0;

  function reportInLog(text: string): void {
    const due = Date.now() - printedAt >= PLAIN_REPEAT_MS;
    if (!due && withoutNumbers(text) === withoutNumbers(shown)) return;
    stream.write(`${text}\n`);
    shown = text;
    printedAt = Date.now();
  }

  return stream.isTTY
    ? {
        report: (text) => stream.write(`\r\u001B[K${text}`),
        clear: () => stream.write('\r\u001B[K'),
      }
    : { report: reportInLog, clear: () => {} };
}

function withoutNumbers(text: string): string {
  return text.replaceAll(/\d+/g, '');
}

/** Reports `text` with the seconds gone by, every second, until `work` settles. */
export async function whileWaiting<T>(
  text: string,
  onProgress: OnProgress,
  work: Promise<T>,
): Promise<T> {
  const startedAt = Date.now();
  const tick = () => onProgress(`${text} … ${Math.round((Date.now() - startedAt) / 1000)} s`);
  tick();
  const timer = setInterval(tick, 1_000);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}
