import { LogScreen } from './LogScreen.tsx';

/** The login log: every sign-in try (specified 8.2). */
export default function LoginLog() {
  return <LogScreen kind="login" />;
}
