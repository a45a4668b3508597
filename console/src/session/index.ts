export { local, session } from './storage.ts';
export {
  languages,
  storedLocale,
  currentLocale,
  currentTag,
  chooseLocale,
  applyTimeStringRule,
  type Locale,
  type LanguageTag,
} from './languages.ts';
export {
  storedToken,
  storeToken,
  storeSession,
  storedUsername,
  rememberFlag,
  storedWorkId,
  storeWorkId,
  storedTheme,
  storeTheme,
  noteResponse,
  lastResponseAt,
  clearSession,
  clearPriorSession,
  onSessionElsewhere,
  type ThemeChoice,
} from './state.ts';
export { requestHeaders, timezoneOffset, REQUEST_TIMEOUT_MS, CHUNK_TIMEOUT_MS } from './headers.ts';
export {
  beforeLeaving,
  noteUnsent,
  endSession,
  leaveForSignIn,
  takeNotice,
  takeUnsent,
  endOnServer,
  isSignInPath,
  EXPIRED_WARNING_MS,
  FORBIDDEN_WARNING_MS,
  type SignInNotice,
} from './leaving.ts';
export { inPreview, leavePreview, PREVIEW_DOOR, previewed, startPreview } from './preview.ts';
export { givePreview, receivePreview } from './preview-handover.ts';
