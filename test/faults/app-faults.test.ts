import type { FaultOutcome } from '../support/fault-outcomes';
import { FAULT_ENV, FAULT_SCENARIOS, FAULT_TIMING } from '../support/fault-scenarios';
import { runFaultScenario } from '../support/run-fault-scenario';
import type { SimulatedAppName } from '../support/shop';
import { startSystem, stopSystems } from '../support/system';

const cases = FAULT_SCENARIOS.flatMap((scenario) =>
  Object.entries(scenario.expected).map(([app, expected]) => ({
    app: app as SimulatedAppName,
    name: scenario.name,
    scenario,
    expected,
  })),
);

/** Many at once, because each of them mostly waits; each has its own shop and app. */
const AT_ONCE = 25;

const outcomes = new Map<unknown, Promise<FaultOutcome>>();
beforeAll(async () => {
  const system = await startSystem({ env: FAULT_ENV, timing: FAULT_TIMING });
  const lanes = Array.from({ length: AT_ONCE }, () => Promise.resolve());
  for (const [index, each] of cases.entries()) {
    const lane = index % AT_ONCE;
    const run = () => runFaultScenario(system, each.app, each.scenario);
    const outcome = (lanes[lane] ?? Promise.resolve()).then(run);
    outcomes.set(each, outcome);
    // Its test reports what went wrong.
    lanes[lane] = outcome.then(
      () => {},
      () => {},
    );
  }
});
afterAll(stopSystems);

test.each(cases)('$app, $name: told truthfully, and left with the right menu', async (each) => {
  const { messages, ...rest } = each.expected;
  const outcome = await outcomes.get(each);
  expect(outcome).toMatchObject(rest);
  expect(outcome?.messages?.slice(0, messages?.length)).toEqual(messages);
});
