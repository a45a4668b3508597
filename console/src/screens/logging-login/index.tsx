import { LogScreen } from '../logs/LogScreen.tsx';

/** The login log: every sign-in try (S2 section 2.4; decisions 6). */
export default function LoginLog() {
  return <LogScreen kind="login" />;
}
