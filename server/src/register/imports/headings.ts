/**
 * What cities call the columns of their inventories, by wire name: words of the trade and of official lists, beside the names that the catalogue has in six
 * languages. Compared without case, width, accents, blanks and signs. An earlier word is the better one: where several columns fit, it decides.
 */
export const tradeWords: Readonly<Record<string, readonly string[]>> = {
  equipmentCode: [
    'asset id', 'asset number', 'asset no', 'assetid', 'facility id', 'facilityid', 'unit id', 'unit number', 'column no', 'column number', 'column id', 'pole id', 'pole no', 'pole number', 'lamp id', 'lamp no', 'lamp number', 'light id', 'light no', 'light number',
    'luminaire id', 'street light id', 'streetlight id', 'inventory no', 'inventory number', 'tag', 'tag no', 'reference', 'ref', 'code', 'id', 'no', 'number', 'objectid',
    '流水號', '流水号', '編號', '编号', '燈桿編號', '灯杆编号', '路燈編號', '路灯编号', '杆號', '杆号', '桿號', '燈號', '灯号', '資產編號', '资产编号', '設備編號', '设备编号', '設施編號', '设施编号', '序號', '序号', '代碼', '代码',
    'matricule', 'numéro', 'no de mât', 'n° mât', 'n° support', 'n° point lumineux', 'identifiant', 'repère', 'référence', 'code support', 'num',
    '管理番号', '灯番号', '街灯番号', '照明灯番号', '柱番号', '設備番号', '資産番号', '整理番号', '番号', '識別番号', '표찰번호', '관리번호', '가로등번호', '보안등번호', '등주번호', '일련번호', '시설번호', '번호', '아이디',
    'nummer', 'mastnummer', 'mast nr', 'leuchtennummer', 'leuchten nr', 'lichtpunktnummer', 'inventarnummer', 'kennung', 'číslo', 'číslo sloupu', 'evidenční číslo', 'inventární číslo', 'numer', 'número', 'código', 'matrícula', 'codice', 'numero', 'номер', 'номер опоры', 'код',
  ],
  equipmentName: [
    'name', 'asset name', 'description', 'title', 'location description', '名稱', '名称', '設備名稱', '設施名稱', '燈桿名稱', '路燈名稱', 'nom', 'désignation', 'libellé', '名前', '設備名', '施設名', '명칭', '이름', '시설명', '가로등명', '보안등명', '설치위치명',
    'bezeichnung', 'název', 'popis', 'nazwa', 'nombre', 'denominación', 'nome', 'denominazione', 'название', 'наименование',
  ],
  longitude: [
    'longitude', 'lon', 'long', 'lng', 'easting', 'eastings', 'east', 'x', 'x coord', 'xcoord', 'x coordinate', 'coord x', 'point x', 'pointx', 'gis x', 'wgs84 lon', 'wgs84 x', 'twd97x', 'twd97 x', 'x97', 'x坐標', 'x座標', 'x坐标', '經度', '经度', '東經', '东经', '橫坐標', '横坐标', '東坐標',
    'coordonnée x', 'coordonnées x', '経度', '東経', 'x좌표', '경도', '동경', 'rechtswert', 'ostwert', 'länge', 'längengrad', 'geographische länge', 'zeměpisná délka', 'délka', 'długość geograficzna', 'longitud', 'longitudine', 'este', 'долгота',
  ],
  latitude: [
    'latitude', 'lat', 'northing', 'northings', 'north', 'y', 'y coord', 'ycoord', 'y coordinate', 'coord y', 'point y', 'pointy', 'gis y', 'wgs84 lat', 'wgs84 y', 'twd97y', 'twd97 y', 'y97', 'y坐標', 'y座標', 'y坐标', '緯度', '纬度', '北緯', '北纬', '縱坐標', '纵坐标', '北坐標',
    'coordonnée y', 'coordonnées y', 'y좌표', '위도', '북위', 'hochwert', 'nordwert', 'breite', 'breitengrad', 'geographische breite', 'zeměpisná šířka', 'šířka', 'szerokość geograficzna', 'latitud', 'latitudine', 'norte', 'широта',
  ],
  roadId: [
    'road', 'road name', 'street', 'street name', 'streetname', 'location', '路街', '路段', '路名', '道路', '街道', '道路名稱', '道路名称', '路線', 'rue', 'voie', 'nom de voie', 'nom de la voie', '路線名', '通り', '도로', '도로명', '노선명', '가로명',
    'straße', 'strasse', 'straßenname', 'ulice', 'ulica', 'calle', 'vía', 'via', 'rua', 'улица',
  ],
  area: ['district', 'ward', 'area', 'neighbourhood', 'borough', '區', '区', '區域', '区域', '里', '里別', '村里', '行政區', '行政区', 'quartier', 'arrondissement', '地区', '町名', '行政区', '자치구', '행정동', '읍면동', '구', '동', 'stadtteil', 'bezirk', 'městská část', 'dzielnica', 'barrio', 'quartiere', 'район'],
  power: ['wattage', 'watt', 'watts', 'power', 'lamp wattage', 'load', '瓦數', '瓦数', '功率', '額定功率', 'puissance', 'puissance w', 'ワット数', '電力', '와트', '와트수', '소비전력', '용량', 'leistung', 'příkon', 'výkon', 'moc', 'potencia', 'potenza', 'мощность'],
  material: ['material', 'pole material', 'column material', '材質', '材质', '桿體材質', 'matériau', '材料', '재질', 'materiál', 'materiał', 'materiale', 'материал'],
  installTime: ['install date', 'installation date', 'installed', 'date installed', 'commissioned', '安裝日期', '安装日期', '設置日期', 'date de pose', 'date installation', '設置年月日', '設置日', '설치일', '설치일자', '설치년도', 'baujahr', 'errichtungsdatum', 'datum instalace', 'data montażu', 'fecha de instalación', 'data installazione', 'дата установки'],
  address: ['address', 'site address', '地址', '位置', '地點', '住所', '所在地', 'adresse', 'emplacement', '주소', '위치', '설치위치', '소재지', 'anschrift', 'standort', 'adresa', 'adres', 'dirección', 'indirizzo', 'адрес'],
  rmark: ['remark', 'remarks', 'note', 'notes', 'comment', 'comments', '備註', '备注', '說明', 'remarque', 'remarques', 'observations', 'commentaire', '備考', '비고', 'bemerkung', 'anmerkung', 'poznámka', 'uwagi', 'observaciones', 'osservazioni', 'примечание'],
};
