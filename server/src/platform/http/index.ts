export { createHttp } from './app.ts';
export { bind, type Binding, type Caller, type RequestContext } from './context.ts';
export { addressKey, plainAddress } from './address.ts';
export { createRateWindows, type EndedWindow, type RateWindows } from './rate-windows.ts';
export type { Authenticate, HttpConfig, OperationRecorder } from './parts.ts';
export { Refusal, refuse, refuseFields, type RefusalDetails, type TextValues } from './refuse.ts';
export { routePaths } from './routes.ts';
export { refuseProblems } from './catalogue-problems.ts';
export { fill, texts } from './texts.ts';
