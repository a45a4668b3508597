import { permissions, type Permission } from '../../../../contract/permissions.ts';
import { ApiError } from '../../api/api-error.ts';

/** The right whose lack a refusal states (of several the first: any is enough); undefined: it was refused for another reason. */
export function missingRight(error: unknown): Permission | undefined {
  const codes = error instanceof ApiError && error.status === 403 ? error.problem?.['permissions'] : undefined;
  return Array.isArray(codes) ? permissions.find((code) => code === codes[0]) : undefined;
}
