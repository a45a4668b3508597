export { createHttp } from './app.ts';
export { bind, type AnswerOf, type Binding, type BindOptions, type Caller, type ChangeNote, type FileAnswer, type Handler, type RequestContext } from './context.ts';
export { chooseLanguage } from './language.ts';
export type { Authenticate, HttpConfig, HttpParts, OperationEntry, OperationRecorder } from './parts.ts';
export { Refusal, refuse, refuseFields, type FieldProblem, type RefusalDetails, type RuleName, type TextValues } from './refuse.ts';
export { tokenOf } from './request-headers.ts';
export { routePaths } from './routes.ts';
export { fill, texts } from './texts.ts';
