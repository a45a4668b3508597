import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { getLoginAppearance } from '../../../../contract/specified/sign-in.ts';
import { useCall } from '../../api/index.ts';
import { local } from '../../session/index.ts';

export interface Brand {
  name: string;
  /** What stands in the header: the site's own name, else the product's short one in this language. */
  short: string;
  /** A picture's address, or null: the product's own mark. */
  logo: string | null;
  title: string;
}

const STORED = 'loginDispose';

function storedBrand(): Partial<Brand> {
  try {
    const value: unknown = JSON.parse(local.get(STORED) ?? '{}');
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

/** The tab's icon as the page came with it: the product's own. */
const own = (link: HTMLLinkElement): { href: string; type: string } => {
  link.dataset['own'] ??= JSON.stringify({ href: link.getAttribute('href') ?? '', type: link.type });
  return JSON.parse(link.dataset['own']) as { href: string; type: string };
};

function showIcon(ico: string | null): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (link === null) return;
  const { href, type } = own(link);
  if (ico) link.removeAttribute('type');
  else link.type = type;
  link.href = ico || href;
}

/**
 * Name, logo and title of the site (specified 1.15): fetched at start, kept locally; the default stays when that fails.
 */
export function useBrand(): Brand {
  const { t } = useTranslation('shell');
  const answer = useCall(getLoginAppearance, { params: { id: 1 } }, { staleTime: Infinity });
  const data = answer.data?.code === 0 ? answer.data.data : undefined;
  useEffect(() => {
    if (data === undefined) return;
    local.set(STORED, JSON.stringify(data));
    showIcon(data.ico);
  }, [data]);
  const known = data ?? storedBrand();
  const name = known.name || t('product');
  // The server names a site without a name of its own as `product` does.
  return {
    name,
    short: name === t('product') ? t('product.short') : name,
    logo: known.logo || null,
    title: known.title || name,
  };
}
