import type { Random } from './random.ts';

/** Names of streets as Chinese cities give them; none is meant to be a real street. */
const avenues = [
  '世纪大道',
  '迎宾大道',
  '科创大道',
  '人民路',
  '建设路',
  '解放路',
  '青年路',
  '学院路',
  '文晖路',
  '春晖路',
  '奥体大道',
  '火炬大道',
  '望江路',
  '体育路',
  '中兴路',
  '国泰路',
  '长虹路',
  '星光大道',
];
const first = [...'云松梅竹兰桂枫柳荷菊泉月星晨晓清澄锦绣瑞祥和安康乐福嘉永长新宏德仁义信惠远静雅翠碧银金玉丹'];
const second = [...'栖涛园溪港湾桥塘庭苑岭峰林荫川源泽洲浦汀渡亭台阁舟帆虹霞晖岚烟雨露'];
const endings = { secondary: ['路', '路', '街'], branch: ['路', '街', '巷', '弄', '里'] } as const;

/** Hands out each name once. */
export interface Names {
  avenue(): string;
  street(kind: 'secondary' | 'branch'): string;
}

export function createNames(random: Random): Names {
  const taken = new Set<string>();
  const free = random.shuffled(avenues);
  const composed = (ends: readonly string[]): string => {
    for (let tries = 0; ; tries++) {
      const number = tries > 40 ? random.pick([...'一二三四五六七八九']) : '';
      const name = `${random.pick(first)}${random.pick(second)}${number}${random.pick(ends)}`;
      if (!taken.has(name)) {
        taken.add(name);
        return name;
      }
    }
  };
  return {
    avenue: () => free.pop() ?? composed(['大道', '路']),
    street: (kind) => composed(endings[kind]),
  };
}
