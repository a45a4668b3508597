export { createLoginLog, type LoginLog } from './login-log.ts';
export { createOperationLog, type OperationLog } from './operation-log.ts';
export { writtenUnknownName } from './written.ts';
