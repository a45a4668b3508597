import { LogScreen } from './LogScreen.tsx';

/** The operation log: every change, made or refused (specified 8.1). */
export default function OperationLog() {
  return <LogScreen kind="operation" />;
}
