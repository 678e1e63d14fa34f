/**
 * Requests above these sizes are refused. They keep one caller from filling memory and tables and from overloading
 * delivery apps; every real menu seen is at least five times smaller.
 */
export const LIMITS = {
  /** Characters (code points) of names, descriptions, ids and URLs. */
  name: 255,
  description: 2000,
  id: 255,
  url: 2048,
  /** Entries of the lists of a menu upload. */
  menus: 20,
  categories: 2000,
  items: 10_000,
  modifierGroups: 5000,
  /** Integrations in one preview. */
  previewIntegrations: 20,
  /** Entries of the lists inside a menu and inside a modifier group. */
  categoriesOfMenu: 100,
  optionsOfGroup: 500,
  /** Items of one change of availability, integrations that it names, and characters of a pause's reason. */
  changedItems: 500,
  /** Items and prices of options of one change of menus, together. */
  menuChanges: 500,
  integrationsOfRequest: 100,
  pauseReason: 100,
  /** Special days of a store, and of one its periods and the characters of its name. */
  specialDays: 100,
  specialDayPeriods: 48,
  specialDayName: 50,
  /** Targets of one rollout. */
  rolloutTargets: 1000,
} as const;
