/**
 * Something that ends the start with exactly one clear line and exit code 1; everything else is a bug and shows its
 * stack.
 */
export class StartError extends Error {
  override name = 'StartError';
}

/** The text of anything that was thrown, on one line. */
export function reasonOf(thrown: unknown): string {
  if (thrown instanceof AggregateError && thrown.errors.length > 0) return reasonOf(thrown.errors[0]);
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** The `code` of a system or database error ('ENOENT', '57P03'), or undefined. */
export function codeOf(thrown: unknown): string | undefined {
  if (thrown instanceof AggregateError && thrown.errors.length > 0) return codeOf(thrown.errors[0]);
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : undefined;
}

/** The message for an operator when a port cannot be listened on; `variable` is the setting that changes it. */
export function listenProblem(thrown: unknown, variable: string, host: string, port: number): StartError {
  const place = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const hostVariable = variable.replace(/(_TLS)?_?PORT$/, '_HOST').replace(/^_/, '');
  switch (codeOf(thrown)) {
    case 'EADDRINUSE':
      return new StartError(`${place} is taken by another program: set ${variable} to a free port.`);
    case 'EACCES':
      return new StartError(`${place} may not be listened on by this user: set ${variable} to a port above 1023.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new StartError(`${place} is not an address of this machine: set ${hostVariable} to one.`);
    default:
      return new StartError(`${place} cannot be listened on: ${reasonOf(thrown)}`);
  }
}
