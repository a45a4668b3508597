/** The lamps of one road make a step within so many seconds, however long all roads take for it. */
export const roadStagger = 2;

/** Multiples of it lie evenly between whole numbers: ids that follow each other begin far apart. */
const golden = (Math.sqrt(5) - 1) / 2;

/**
 * When the lamps of a road begin a step, whole seconds after it; the same for its id, and spread evenly over what the
 * window leaves for roads. Null: the window is not longer than that of one road.
 */
export function roadStart(roadId: number, windowSeconds: number): number | null {
  const starts = windowSeconds - roadStagger + 1;
  return starts <= 1 ? null : Math.floor(((roadId * golden) % 1) * starts);
}
