/** Why a server cannot listen on `port`, in one sentence with the variable that sets another; null: for another reason. */
export function unusablePortSentence(
  code: unknown,
  port: unknown,
  variable: string,
): string | null {
  switch (code) {
    case 'EADDRINUSE':
      return `port ${String(port)} is taken by another program; set ${variable} to a free one`;
    case 'EACCES':
      return `this user may not open port ${String(port)}; set ${variable} to another one, above 1023`;
    default:
      return null;
  }
}
