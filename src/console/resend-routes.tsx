import type { Route } from '../http/route';
import { permitted } from '../http/admission/request-permits';
import { chosenBy, countResendable, scopeOfResend } from '../webhooks/choose-resends';
import type { DeliveryResendDeps } from '../webhooks/routes/delivery-resends';
import { type ConsoleDeps, consoleAction, consolePage } from './console-route';
import { withFilter } from './controls';
import { fittingFilter } from './pages/deliveries';
import { isResendField, ResendPage } from './pages/resend';

export type ResendPageDeps = ConsoleDeps & Pick<DeliveryResendDeps, 'sql' | 'resendPermits'>;

const PATH = '/console/resend';
/** Past either, the page says `more than`: a count may read millions of rows, and a person decides as well. */
const COUNTED = { upTo: 10_000, forMs: 5_000 };

/** Sending many deliveries again: a page that asks, with the count, and the action. */
export const RESEND_PAGES: readonly Route<ResendPageDeps>[] = [
  consolePage({
    id: 'resend-many',
    path: PATH,
    section: 'deliveries',
    summary: 'How many deliveries would be sent again',
    async show({ sql, resendPermits }: ResendPageDeps, { ctx, filter: given, frame }) {
      const filter = fittingFilter(given);
      const { caller } = ctx.state;
      const count = async () => {
        const scope = await scopeOfResend(sql, caller, chosenBy(bodyOf(filter)));
        return countResendable(sql, scope, COUNTED);
      };
      const found = await permitted(resendPermits.take(caller.userId), count);
      return <ResendPage frame={frame('Send deliveries again')} {...{ filter, found }} />;
    },
  }),
  consoleAction({
    id: 'resend-many-now',
    path: PATH,
    parameters: {},
    section: 'deliveries',
    summary: 'Send many deliveries again',
    routeId: 'resendDeliveries',
    request: (_params, fields) => ({ body: bodyOf(fields) }),
    back: '/console/deliveries',
    next: (_params, _answer, { form_token: _token, ...fields }) =>
      withFilter('/console/deliveries', { ...fields, state: 'pending' }),
  }),
];

/** The body of the API's resend for the fields of a filter. */
function bodyOf({ events, ...fields }: Readonly<Record<string, string>>) {
  const chosen = Object.entries(fields).filter(([name]) => isResendField(name));
  return { ...Object.fromEntries(chosen), events: events === 'true' };
}
