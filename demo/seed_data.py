"""The catalogue, the people and the habits that the seed draws from. Every name is invented."""

from __future__ import annotations

# username, name, role
EMPLOYEES = [
    ("camille.roux", "Camille Roux", "commandes"),
    ("hugo.marchand", "Hugo Marchand", "comptabilite"),
    ("nadia.benali", "Nadia Benali", "service-client"),
]

# reference, name, shop price with tax, business price before tax
PRODUCTS = [
    ("EPI-101", "Huile d'olive vierge extra, 50 cl", "18.90", "13.40"),
    ("EPI-104", "Vinaigre de framboise, 25 cl", "9.50", "6.75"),
    ("EPI-110", "Miel de châtaignier, 400 g", "11.20", "8.10"),
    ("EPI-117", "Confiture de mirabelle, 320 g", "7.80", "5.45"),
    ("EPI-123", "Sel fumé au hêtre, 150 g", "6.40", "4.30"),
    ("PAT-201", "Galette feuilletée aux amandes, 6 parts", "29.00", "21.50"),
    ("PAT-205", "Tarte citron meringuée, 6 parts", "27.50", "20.40"),
    ("PAT-209", "Entremets chocolat noisette, 8 parts", "42.00", "31.80"),
    ("PAT-214", "Coffret de 16 macarons", "34.00", "25.60"),
    ("PAT-220", "Financiers au beurre noisette, boîte de 12", "19.80", "14.25"),
    ("COF-301", "Coffret découverte Maison Orée", "59.00", "44.90"),
    ("COF-305", "Panier gourmand des fêtes", "89.00", "67.50"),
]

# name, kind, street, postal code, city
CUSTOMERS = [
    ("Hôtel des Tilleuls", "professionnel", "12 place du Marché", "45000", "Orléans"),
    ("Traiteur Vaubrun", "professionnel", "8 rue des Halles", "37000", "Tours"),
    ("Café Perce-Neige", "professionnel", "3 quai de la Gare", "41000", "Blois"),
    ("Les Caves Rambault", "professionnel", "27 rue Haute", "49100", "Angers"),
    ("Comité d'entreprise Solvéa", "professionnel", "40 avenue de l'Europe", "72000", "Le Mans"),
    ("Restaurant L'Anse Bleue", "professionnel", "5 quai des Pêcheurs", "44000", "Nantes"),
    ("Librairie-salon Point-Virgule", "professionnel", "19 rue Saint-Martin", "35000", "Rennes"),
    ("Domaine de Fontclaire", "professionnel", "Route de Chaumont", "41150", "Chaumont-sur-Loire"),
    ("Agence Quatre-Saisons", "professionnel", "61 boulevard Carnot", "59000", "Lille"),
    ("Élise Fontanel", "particulier", "14 rue des Lilas", "75011", "Paris"),
    ("Mathieu Garancher", "particulier", "2 impasse du Puits", "69004", "Lyon"),
    ("Inès Belhadj", "particulier", "33 cours Gambetta", "33000", "Bordeaux"),
    ("Paul-Antoine Ricard", "particulier", "7 rue du Four", "21000", "Dijon"),
    ("Solène Kerdoncuff", "particulier", "18 venelle du Port", "29200", "Brest"),
    ("Yanis Ouedraogo", "particulier", "9 allée des Érables", "31000", "Toulouse"),
    ("Margaux Delestrée", "particulier", "51 rue de la Paroisse", "78000", "Versailles"),
    ("Thibault Castagner", "particulier", "4 chemin des Vignes", "34000", "Montpellier"),
    ("Aïcha Lamrani", "particulier", "22 rue de Belfort", "67000", "Strasbourg"),
    ("Bertrand Saulnois", "particulier", "16 rue Pasteur", "54000", "Nancy"),
    ("Clémence Hauterive", "particulier", "88 rue Nationale", "37000", "Tours"),
    ("Jules Montferrand", "particulier", "30 rue Blatin", "63000", "Clermont-Ferrand"),
    ("Lucie Vandermeulen", "particulier", "11 rue de Gand", "59800", "Lille"),
    ("Noé Pasqualini", "particulier", "6 cours Paoli", "20250", "Corte"),
    ("Rose-Marie Édouard", "particulier", "25 rue Victor-Hugo", "97200", "Fort-de-France"),
    ("Victor Sauvageot", "particulier", "13 place Grenette", "38000", "Grenoble"),
]

CUSTOMER_MESSAGES = [
    "Merci d'ajouter un mot : « Joyeux anniversaire, Mamie ! »",
    "C'est pour un goûter de vingt personnes : les parts peuvent-elles être prédécoupées ?",
    "Une personne est allergique aux noisettes : merci de vérifier les étiquettes.",
    "Un ticket sans les prix, s'il vous plaît : c'est un cadeau.",
    "Pouvez-vous emballer les coffrets séparément ? Ce sont des cadeaux.",
]

INTERNAL_NOTES = [
    "Commande régulière : glisser un sachet de financiers.",
    "Appeler dès que la commande est prête.",
    "Vérifier la date limite des entremets avant l'envoi.",
]

INVOICE_NOTES = [
    "Bon de commande à rappeler lors du règlement.",
    "Remise accordée pour commande groupée de fin d'année.",
    "Règlement par virement à réception de la facture.",
]
