import { historyMenu } from './history/menu.ts';
import { lightMenu } from './light/menu.ts';
import { peopleMenu } from './people/menu.ts';
import type { WingMenu } from './people/menus/index.ts';
import { registerMenu } from './register/menu.ts';
import { shellMenu } from './shell/menu.ts';
import { wiresMenu } from './wires/menu.ts';

/** The menus of the wings; a section and a place say where each entry stands. */
export const wingMenus: readonly WingMenu[] = [peopleMenu, registerMenu, wiresMenu, lightMenu, historyMenu, shellMenu];
