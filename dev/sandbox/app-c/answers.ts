import type { AppAnswer } from '../app-simulator';

/** The app's envelope of every answer, even errors, always with HTTP 200. */
export interface Answers {
  /** `data` is JSON text, as numbers above 2^53 cannot pass through JavaScript's. */
  ok(data: string): AppAnswer;
  error(errno: number, errmsg: string): AppAnswer;
}

export function createAnswers(clock: () => number, newId: (prefix: string) => string): Answers {
  function envelope(errno: number, errmsg: string, data: string): AppAnswer {
    const time = Math.floor(clock() / 1000);
    const head = `"errno":${errno},"errmsg":${JSON.stringify(errmsg)}`;
    const tail = `"requestId":${JSON.stringify(newId('request'))},"time":${time},"data":${data}`;
    return { status: 200, body: `{${head},${tail}}` };
  }
  return {
    ok: (data) => envelope(0, 'ok', data),
    error: (errno, errmsg) => envelope(errno, errmsg, '{}'),
  };
}
