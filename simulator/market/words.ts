/** The words of names. They recur, so that searches find several items. */

export type Realm = 'fantasy' | 'space' | 'sea' | 'town' | 'machine' | 'wild';

export interface RealmWords {
  readonly builds: readonly string[];
  readonly roles: readonly string[];
}

export const realmWords: Readonly<Record<Realm, RealmWords>> = {
  fantasy: {
    builds: split(
      'Castle,Keep,Gatehouse,Dragon,Tower,Bridge,Forge,Siege Engine,Throne Room,Tavern,' +
        'Wagon,Citadel,Grotto,Watchtower,Library,Gate,Griffin,Chapel,Market',
    ),
    roles: split(
      'Knight,Squire,Wizard,Queen,Blacksmith,Archer,Ranger,Bard,Witch,Goblin,Herald,' +
        'Alchemist,Guard,Page,Falconer',
    ),
  },
  space: {
    builds: split(
      'Shuttle,Rover,Lander,Station,Observatory,Cruiser,Reactor,Dock,Mech,Satellite,' +
        'Habitat,Probe,Hauler,Hangar,Bridge,Outpost,Greenhouse,Racer',
    ),
    roles: split(
      'Pilot,Engineer,Navigator,Cadet,Captain,Android,Medic,Scout,Commander,Botanist,' +
        'Mechanic,Courier,Smuggler,Guard',
    ),
  },
  sea: {
    builds: split(
      'Galleon,Lighthouse,Submarine,Lagoon,Fort,Trawler,Reef,Harbor,Schooner,Diving Bell,' +
        'Kraken,Cove,Dock,Raft,Whale,Shipwreck,Market,Tavern',
    ),
    roles: split(
      'Captain,Sailor,Diver,Smuggler,Navigator,Cook,Mermaid,Cartographer,Lookout,Boatswain,' +
        'Fisher,Explorer,Musician',
    ),
  },
  town: {
    builds: split(
      'Bakery,Bookshop,Cinema,Town Hall,Fire House,Tram,Market,Clinic,School,Café,Hotel,' +
        'Post Office,Fountain,Corner Shop,Library,Greenhouse,Bridge,Pâtisserie,Carousel',
    ),
    roles: split(
      'Baker,Mayor,Florist,Chef,Nurse,Teacher,Firefighter,Musician,Barista,Detective,' +
        'Courier,Librarian,Gardener,Photographer',
    ),
  },
  machine: {
    builds: split(
      'Racer,Crane,Locomotive,Excavator,Workshop,Hauler,Roadster,Engine,Truck,Buggy,Loader,' +
        'Motorbike,Signal Box,Rover,Mech,Tram,Turbine,Forge',
    ),
    roles: split(
      'Mechanic,Driver,Engineer,Conductor,Foreman,Inventor,Welder,Blacksmith,Miner,Pilot,' +
        'Apprentice,Scout',
    ),
  },
  wild: {
    builds: split(
      'Treehouse,Greenhouse,Waterfall,Cabin,Canyon,Temple,Camp,Raptor,Mammoth,Garden,' +
        'Balloon,Windmill,Barn,Owl,Fox Den,Orchid,Bridge,Watchtower,Outpost',
    ),
    roles: split(
      'Explorer,Gardener,Ranger,Botanist,Photographer,Farmer,Guide,Archaeologist,Beekeeper,' +
        'Medic,Scout,Musician',
    ),
  },
};

export const adjectives = split(
  'Amber,Ancient,Azure,Blazing,Brave,Bronze,Clever,Copper,Crimson,Crooked,Crystal,Dancing,' +
    'Distant,Drifting,Eastern,Emerald,Enchanted,Fearless,Floating,Forgotten,Frozen,Gilded,' +
    'Golden,Hidden,Hollow,Howling,Humble,Iron,Ivory,Jade,Last,Little,Lonely,Lost,Lucky,' +
    'Marble,Midnight,Misty,Moonlit,Northern,Painted,Quiet,Restless,Royal,Ruby,Rusty,Sapphire,' +
    'Secret,Silent,Silver,Singing,Sleeping,Starlit,Stormy,Sunken,Swift,Tangled,Velvet,' +
    'Wandering,Whispering,Wild,Winter',
);

export const places = split(
  'Bellhaven,Castora,Düneberg,Elder Marsh,Foxglove Hill,Gannet Rock,Høgsund,Isla Brisa,' +
    "Kestrel Point,Lower Velde,Marrowmere,Nettle Bridge,Orrin's Reach,Port Solace,Quillmoor," +
    'Rosé Quarter,Sable Coast,São Corvo,Tallowick,Umber Pass,Vesper Lake,Wexcombe,' +
    'Yarrow Green,Zinnia Heights',
);

export const givenNames = split(
  'Ada,Aurelio,Beatrix,Bruno,Callum,Cosima,Dario,Elowen,Esmé,Fergus,Freya,Gideon,Hana,Hugo,' +
    'Imogen,Ivo,Jasper,Juno,Kaito,Leonie,Lucía,Magnus,Mirela,Nadia,Niko,Odette,Orla,Pascal,' +
    'Petra,Quentin,Rafaela,René,Rosalind,Rufus,Saoirse,Silas,Soren,Tamsin,Thea,Tomás,Ulla,' +
    'Viggo,Wren,Yusuf,Zora',
);

export const colors = split(
  'Red,Blue,Black,White,Dark Green,Sand Blue,Dark Red,Tan,Bright Yellow,Orange,Lavender,' +
    'Teal,Pearl Gold,Flat Silver,Reddish Brown,Light Gray',
);

export const garments = split(
  'Cloak,Jacket,Apron,Armor,Coat,Overalls,Scarf,Robe,Jumpsuit,Vest,Tunic,Raincoat,Sweater',
);

export const accessories = split(
  'Lantern,Map,Wrench,Telescope,Satchel,Sword,Camera,Teapot,Compass,Owl,Accordion,Umbrella,' +
    'Toolbox,Scroll,Fishing Rod,Crystal',
);

function split(words: string): readonly string[] {
  return words.split(',');
}
