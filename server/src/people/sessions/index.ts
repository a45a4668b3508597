export { rightsIn } from './rights.ts';
export { createSessions, type Sessions } from './sessions.service.ts';
