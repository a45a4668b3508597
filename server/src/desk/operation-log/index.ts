export { createLoginLog, type LoginLog, type SignInTry } from './login-log.ts';
export { createOperationLog, type OperationLog } from './operation-log.ts';
export { addOperations, addSignIns } from './past.ts';
export { writtenUnknownName } from './written.ts';
