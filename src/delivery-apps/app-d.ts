/**
 * Known by name and refused: menu upload does not work for App D. Its payload, its approval by hand and its
 * validations differ enough from the others that half an adapter would report success for menus nobody sees.
 */
export const APP_D = {
  configured: false,
  name: 'app-d',
  maxMenus: 1,
  reason: 'Microservice does not have this integration configured.',
} as const;
