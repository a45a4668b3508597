import { getLevels } from '../../../../../contract/specified/users.ts';
import { useCall } from '../../../api/index.ts';

/** The account levels as the server names them, in the caller's language: 0 administrator, 1 to 5 A to E. */
export function useLevels(): {
  nameOf: (level: number) => string;
  options: { value: number; label: string }[];
  isPending: boolean;
} {
  const levels = useCall(getLevels, {}, { staleTime: 300_000 });
  const names = levels.data?.data ?? {};
  return {
    nameOf: (level) => names[String(level)] ?? String(level),
    options: Object.entries(names)
      .map(([level, label]) => ({ value: Number(level), label }))
      .sort((a, b) => a.value - b.value),
    isPending: levels.isPending,
  };
}
