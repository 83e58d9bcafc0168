enum Redirect { static func target(of response: Response, from request: Request) -> Request? { nil } }
