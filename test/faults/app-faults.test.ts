import type { FaultOutcome } from '../support/fault-scenarios';
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

/** All at once, as a test alone would mostly wait; each has a shop and an app of its own. */
const outcomes = new Map<unknown, Promise<FaultOutcome>>();
beforeAll(async () => {
  const system = await startSystem({ env: FAULT_ENV, timing: FAULT_TIMING });
  for (const each of cases) {
    const outcome = runFaultScenario(system, each.app, each.scenario);
    outcome.catch(() => {}); // its test reports it
    outcomes.set(each, outcome);
  }
}, 60_000);
afterAll(stopSystems);

test.each(cases)(
  '$app, $name: told truthfully, and left with the right menu',
  async (each) => {
    const { messages, ...rest } = each.expected;
    const outcome = await outcomes.get(each);
    expect(outcome).toMatchObject(rest);
    expect(outcome?.messages?.slice(0, messages?.length)).toEqual(messages);
  },
  90_000,
);
