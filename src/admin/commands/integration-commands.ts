import type { Command } from 'commander';
import type { AdminDeps } from '../admin-deps';
import { deliveryApps } from '../../delivery-apps/registry';
import { configureIntegration, showIntegrations } from '../integrations';
import { givenText, positiveInteger, type Print, type ReadSecret, shownName } from './options';

interface ConfigureOptions {
  readonly integration?: number;
  readonly app: string;
  readonly name?: string;
  readonly baseUrl?: string;
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly webhookSecret?: string;
  readonly active?: boolean;
  readonly inactive?: boolean;
  readonly maxInFlight?: number;
}

export function addIntegrationCommands(
  integration: Command,
  deps: () => AdminDeps,
  print: Print,
  readSecret: ReadSecret,
): void {
  integration.command('list').action(async () => print(await showIntegrations(deps())));
  integration
    .command('configure')
    .description('make an integration, or change the given settings of one')
    .option('--integration <integration_id>', 'the integration to change', positiveInteger)
    .requiredOption(
      '--app <app>',
      deliveryApps()
        .map(({ name }) => name)
        .join(', '),
      givenText,
    )
    .option('--name <name>', '', shownName)
    .option('--base-url <url>', '', givenText)
    .option('--client-id <id>', '', givenText)
    .option('--client-secret <secret>', '`-` = standard input', givenText)
    .option(
      '--webhook-secret <secret>',
      'signs the webhooks of App D; several with commas between; `-` = standard input',
      givenText,
    )
    .option('--active')
    .option('--inactive')
    .option(
      '--max-in-flight <pushes>',
      'pushes at once, in one worker: 1–500, default 50',
      positiveInteger,
    )
    .action(async (options: ConfigureOptions) =>
      print(
        await configureIntegration(deps(), {
          integrationId: options.integration ?? null,
          app: options.app,
          name: options.name ?? null,
          baseUrl: options.baseUrl ?? null,
          clientId: options.clientId ?? null,
          clientSecret:
            options.clientSecret === undefined ? null : await readSecret(options.clientSecret),
          webhookSecret:
            options.webhookSecret === undefined ? null : await readSecret(options.webhookSecret),
          active: options.active ? true : options.inactive ? false : null,
          maxInFlight: options.maxInFlight ?? null,
        }),
      ),
    );
}
