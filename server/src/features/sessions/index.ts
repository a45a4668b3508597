export { createSessions, idleMs, type NewSession, type Sessions } from './sessions.service.ts';
