const pattern = /^([01]\d|2[0-3]):[0-5]\d$/;

/** Whether a text is a wall-clock time `HH:MM`. */
export const isClock = (text: string): boolean => pattern.test(text);

/** Minutes since midnight of `HH:MM`. */
export const minuteOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5));
