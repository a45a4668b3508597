export { createLoginLog, type LoginLog, type SignInOutcome, type SignInTry } from './login-log.ts';
export { createOperationLog, type OperationLog } from './operation-log.ts';
export { writtenName, writtenUnknownName } from './written.ts';
