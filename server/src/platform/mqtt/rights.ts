import type { TopicRights } from './broker.ts';

/** Whether a concrete topic may be published with these rights. */
export function mayPublish(rights: TopicRights, topic: string): boolean {
  return !/[+#]/.test(topic) && rights.publish.some((filter) => covers(filter, topic));
}

/**
 * Whether a filter asks for nothing beyond these rights: each of its levels must be granted; `#` and `$SYS` never are.
 */
export function maySubscribe(rights: TopicRights, filter: string): boolean {
  if (filter.includes('#') || filter.startsWith('$')) return false;
  return rights.subscribe.some((granted) => covers(granted, filter));
}

/** Whether each level of a filter without `#` takes that of a topic, or of another filter. */
export function covers(granted: string, asked: string): boolean {
  const grantedLevels = granted.split('/');
  const askedLevels = asked.split('/');
  if (grantedLevels.length !== askedLevels.length) return false;
  return grantedLevels.every((level, index) => level === '+' || level === askedLevels[index]);
}
