export { headText, logs, parseHead, type NotedHead } from './chain.ts';
export { sealLogs } from './log-seals.ts';
export { sealAll } from './sealer.ts';
export { verifyLogs, type Finding, type Verdict } from './verifier.ts';
