import { LogScreen } from '../logs/LogScreen.tsx';

/** The operation log: every change, made or refused (S2 section 2.4; decisions 6). */
export default function OperationLog() {
  return <LogScreen kind="operation" />;
}
