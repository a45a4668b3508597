/** A wall-clock time `HH:MM`, as a regular expression. */
export const clockPattern = '([01]\\d|2[0-3]):[0-5]\\d';
const pattern = new RegExp(`^${clockPattern}$`);
const zero = 48;

/** Whether a text is a wall-clock time `HH:MM`. */
export const isClock = (text: string): boolean => pattern.test(text);

/** Minutes since midnight of `HH:MM`. */
export function minuteOf(clock: string): number {
  const digit = (at: number): number => clock.charCodeAt(at) - zero;
  return (digit(0) * 10 + digit(1)) * 60 + digit(3) * 10 + digit(4);
}
