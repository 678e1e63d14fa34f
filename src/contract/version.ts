/** The version of this release, as package.json has it; `info.version` of the OpenAPI description. */
export const VERSION = '1.0.0';
