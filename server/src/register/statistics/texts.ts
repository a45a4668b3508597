import type { Language } from '../../../../catalogue/languages.ts';

interface Texts {
  readonly title: string;
  readonly families: string; readonly workAreas: string; readonly roads: string; readonly ages: string; readonly vendors: string; readonly states: string; readonly controllers: string;
  readonly count: string; readonly share: string; readonly none: string; readonly others: string; readonly silent: string; readonly isOnline: string;
  /** `{from}`, `{to}`: whole years. */
  readonly years: string; readonly over: string; readonly under: string; readonly future: string;
  readonly code: string; readonly name: string; readonly lamps: string; readonly loops: string; readonly closed: string; readonly online: string; readonly known: string; readonly rate: string;
}

/** Words of the workbook in the six languages; families, states and options have theirs in the catalogue. */
export const statisticsTexts: Readonly<Record<Language, Texts>> = {
  'zh-CN': {
    title: '资产统计', families: '设备类型', workAreas: '项目', roads: '道路', ages: '使用年限', vendors: '厂家', states: '状态', controllers: '控制器',
    count: '数量', share: '占比 (%)', none: '未填写', others: '其他', silent: '不上报状态', isOnline: '在线', years: '{from}–{to} 年', over: '{from} 年以上', under: '不足 {to} 年', future: '尚未安装',
    code: '编号', name: '名称', lamps: '路灯数', loops: '回路数', closed: '合闸回路', online: '近 30 天在线 (小时)', known: '近 30 天有记录 (小时)', rate: '在线率 (%)',
  },
  'zh-TW': {
    title: '資產統計', families: '設備類型', workAreas: '專案', roads: '道路', ages: '使用年限', vendors: '廠商', states: '狀態', controllers: '控制器',
    count: '數量', share: '比例 (%)', none: '未填寫', others: '其他', silent: '不回報狀態', isOnline: '連線', years: '{from}–{to} 年', over: '{from} 年以上', under: '未滿 {to} 年', future: '尚未安裝',
    code: '編號', name: '名稱', lamps: '路燈數', loops: '迴路數', closed: '閉合迴路', online: '近 30 天連線 (小時)', known: '近 30 天有紀錄 (小時)', rate: '連線率 (%)',
  },
  'en-US': {
    title: 'Asset statistics', families: 'Device type', workAreas: 'Project', roads: 'Road', ages: 'Age', vendors: 'Manufacturer', states: 'State', controllers: 'Controllers',
    count: 'Count', share: 'Share (%)', none: 'Not given', others: 'Others', silent: 'Does not report', isOnline: 'Online', years: '{from}–{to} years', over: '{from} years or more', under: 'Under {to} year', future: 'Not yet installed',
    code: 'Code', name: 'Name', lamps: 'Lamps', loops: 'Loops', closed: 'Closed loops', online: 'Online, last 30 days (h)', known: 'On record, last 30 days (h)', rate: 'Online (%)',
  },
  'fr-FR': {
    title: 'Statistiques du parc', families: 'Type d’équipement', workAreas: 'Projet', roads: 'Voie', ages: 'Âge', vendors: 'Fabricant', states: 'État', controllers: 'Contrôleurs',
    count: 'Nombre', share: 'Part (%)', none: 'Non renseigné', others: 'Autres', silent: 'Ne communique pas', isOnline: 'En ligne', years: '{from} à {to} ans', over: '{from} ans ou plus', under: 'Moins de {to} an', future: 'Pas encore installé',
    code: 'Code', name: 'Nom', lamps: 'Lampadaires', loops: 'Circuits', closed: 'Circuits fermés', online: 'En ligne, 30 derniers jours (h)', known: 'Enregistré, 30 derniers jours (h)', rate: 'En ligne (%)',
  },
  'ja-JP': {
    title: '資産統計', families: '機器の種類', workAreas: 'プロジェクト', roads: '道路', ages: '使用年数', vendors: 'メーカー', states: '状態', controllers: 'コントローラー',
    count: '台数', share: '割合 (%)', none: '未入力', others: 'その他', silent: '状態を送信しない', isOnline: 'オンライン', years: '{from}～{to} 年', over: '{from} 年以上', under: '{to} 年未満', future: '未設置',
    code: 'コード', name: '名称', lamps: '街路灯数', loops: '回路数', closed: '投入中の回路', online: '直近 30 日のオンライン (時間)', known: '直近 30 日の記録 (時間)', rate: 'オンライン率 (%)',
  },
  'ko-KR': {
    title: '자산 통계', families: '장치 유형', workAreas: '프로젝트', roads: '도로', ages: '사용 연수', vendors: '제조사', states: '상태', controllers: '제어기',
    count: '수량', share: '비율 (%)', none: '미입력', others: '기타', silent: '상태를 보고하지 않음', isOnline: '온라인', years: '{from}~{to}년', over: '{from}년 이상', under: '{to}년 미만', future: '설치 전',
    code: '코드', name: '이름', lamps: '가로등 수', loops: '회로 수', closed: '투입 회로', online: '최근 30일 온라인 (시간)', known: '최근 30일 기록 (시간)', rate: '온라인율 (%)',
  },
};
