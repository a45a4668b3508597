/** Something that ends the start with exactly one clear line and exit code 1; everything else is a bug and shows its stack. */
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
