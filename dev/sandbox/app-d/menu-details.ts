import { type AppAnswer, jsonAnswer } from '../app-simulator';
import type { Approval } from './approvals';

const DETAILS_PATH = /^\/rest-ops-utils\/store\/menu\/(\d{1,15})\/details$/;
const DAY = /^\d{4}-\d\d-\d\d$/;

/** The app's own number of the store whose menus are asked about; undefined for another path. */
export function detailsOf(path: string): number | undefined {
  const digits = DETAILS_PATH.exec(path)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** What became of the menus that a store got on these days (in UTC), newest first, as a bare list. */
export function answerDetails(query: URLSearchParams, approvals: readonly Approval[]): AppAnswer {
  const [from, to] = [query.get('from'), query.get('to')];
  if (!isDay(from) || !isDay(to) || from > to) {
    return jsonAnswer(400, { message: 'from and to must be days' });
  }
  const listed = approvals.map(({ status, createdAt }) => ({
    status: status === 'REJECTED' ? 'ERROR_MA' : status,
    error_description: status === 'REJECTED' ? REJECTED : null,
    created_at: new Date(createdAt).toISOString(),
  }));
  const ofDays = listed.filter(
    ({ created_at: at }) => from <= at.slice(0, 10) && at.slice(0, 10) <= to,
  );
  return jsonAnswer(200, ofDays);
}

const REJECTED = 'Scripted: the prices are not those of the store';

function isDay(text: string | null): text is string {
  return text !== null && DAY.test(text) && !Number.isNaN(Date.parse(text));
}
